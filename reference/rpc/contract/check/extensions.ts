import type { Contract, Field } from "../model.ts";
import type { Problems } from "../place.ts";
import { checkNumber, overlapping } from "./numbers.ts";

/** Extensions: a number that the message leaves to them, each once; under proto3 only of options. */
export function checkExtensions(contract: Contract, problems: Problems): void {
  const taken = new Map<string, Field>();
  for (const field of contract.extensions.values()) {
    const { extendee, number, numberPlace } = field;
    if (extendee === undefined) continue;
    const message = contract.messages.get(extendee);
    if (message === undefined) continue;
    const isSet = message.options.some(({ name }) => name === "message_set_wire_format");
    if (!isSet) checkNumber(number, numberPlace, problems);
    if (overlapping({ start: number, end: number, place: numberPlace }, message.extensionRanges) === undefined)
      problems.add(numberPlace, "extension-number", `"${extendee}" does not leave the number ${number} to extensions.`);
    const other = taken.get(`${extendee} ${number}`);
    if (other !== undefined)
      problems.add(numberPlace, "number-taken", `The number ${number} of "${extendee}" is taken by the extension "${other.fullName}".`);
    taken.set(`${extendee} ${number}`, field);
    const isOfProto3 = contract.files.get(field.place.file)?.syntax === "proto3";
    if (
      isOfProto3 &&
      !/^google\.protobuf\.(?:File|Message|Field|Oneof|Enum|EnumValue|Service|Method|ExtensionRange)Options$/.test(extendee)
    )
      problems.add(field.place, "extension", "Under proto3 only options can be extended.");
  }
}
