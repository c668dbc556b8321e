import type { Contract, Message } from "../model.ts";
import type { Problems } from "../place.ts";
import type { Checked } from "./checked.ts";
import { checkEnum } from "./enums.ts";
import { checkExtensions } from "./extensions.ts";
import { checkField } from "./fields.ts";
import { checkJsonNames, checkReservedNames } from "./names.ts";
import { checkNumbers } from "./numbers.ts";

/** Checks what a compiler checks once all names are resolved. */
export function checkContract(contract: Contract, problems: Problems): void {
  for (const file of contract.files.values()) {
    const checked: Checked = { contract, file, problems };
    for (const one of file.enums) checkEnum(one, checked);
    for (const message of file.messages) checkMessage(message, checked);
    for (const field of file.extensions) checkField(field, undefined, checked);
  }
  checkExtensions(contract, problems);
}

function checkMessage(message: Message, checked: Checked): void {
  checkNumbers(message, checked.problems);
  checkReservedNames(message, checked.problems);
  checkJsonNames(message, checked);
  for (const field of message.fields) checkField(field, message, checked);
  for (const field of message.extensions) checkField(field, undefined, checked);
  for (const one of message.enums) checkEnum(one, checked);
  for (const one of message.messages) checkMessage(one, checked);
}
