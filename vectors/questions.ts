import { QUESTIONS as exposition } from "./exposition/question.ts";
import { QUESTIONS as hpack } from "./hpack/question.ts";
import { QUESTIONS as http1 } from "./http1/question.ts";
import type { Vector } from "./load.ts";
import type { Question, Questions } from "./question.ts";
import { QUESTIONS as qpack } from "./qpack/question.ts";
import { QUESTIONS as rpc } from "./rpc/question.ts";
import { QUESTIONS as websocket } from "./websocket/question.ts";

const QUESTIONS: Questions = { ...hpack, ...qpack, ...http1, ...websocket, ...exposition, ...rpc };

/** The question that a vector of this kind asks a codec; undefined if vectors of this kind are not for codecs. */
export const questionOf = (kind: string, vector: Vector): Question | undefined => QUESTIONS[kind]?.(vector);

/** Whether vectors of this kind are for codecs. */
export const isAsked = (kind: string): boolean => Object.hasOwn(QUESTIONS, kind);
