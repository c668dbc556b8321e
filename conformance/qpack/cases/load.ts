import { loadRoles } from "../../harness/load.ts";
import type { Case } from "../vocabulary.ts";
import { vectorCases } from "./codec-vectors.ts";

const loadEncoderCases = loadRoles<Case>(import.meta.dirname, { codec: ["codec"] });

/** All cases: those for decoders from the vectors, then those for encoders by section. */
export const loadCases = async (): Promise<Case[]> => [...vectorCases(), ...(await loadEncoderCases())];
