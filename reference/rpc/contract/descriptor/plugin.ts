import { generate, type GenerateOptions } from "../generate/index.ts";
import { isWellKnown } from "../generate/references.ts";
import { problemText } from "../place.ts";
import { Edition } from "./descriptor.pb.ts";
import { CodeGeneratorRequest, CodeGeneratorResponse, CodeGeneratorResponse_Feature as Feature } from "./plugin.pb.ts";
import { loadDescriptors } from "./read.ts";

/** Answers a compiler: its request, as it writes it to a plug-in, gives the response. Mistakes are in the response; octets that are no request throw `MalformedMessage`. */
export function answerCompiler(request: Uint8Array): Uint8Array {
  const { fileToGenerate, parameter = "", protoFile } = CodeGeneratorRequest.decode(request);
  const supportedFeatures = BigInt(Feature.PROTO3_OPTIONAL | Feature.SUPPORTS_EDITIONS);
  const supported = { supportedFeatures, minimumEdition: Edition.EDITION_PROTO2, maximumEdition: Edition.EDITION_2024 };
  const options = optionsOf(parameter);
  if (typeof options === "string") return CodeGeneratorResponse.encode({ ...supported, error: options });
  const loaded = loadDescriptors(protoFile, fileToGenerate);
  if (loaded.is === "problems") return CodeGeneratorResponse.encode({ ...supported, error: loaded.problems.map(problemText).join("\n") });
  // The package has these.
  const paths = fileToGenerate.filter((path) => !isWellKnown(path));
  const file = generate(loaded.contract, paths, options).map(({ path, content }) => ({ name: path, content }));
  return CodeGeneratorResponse.encode({ ...supported, file });
}

/** `js=true,import_extension=js`; a text says what is wrong. */
function optionsOf(parameter: string): GenerateOptions | string {
  let options: GenerateOptions = {};
  for (const part of parameter.split(",").filter((one) => one.trim() !== "")) {
    const [name = "", value = "true"] = part.trim().split("=", 2);
    if (name === "js" && (value === "true" || value === "false")) options = { ...options, language: value === "true" ? "js" : "ts" };
    else if (name === "import_extension" && /^(?:none|\.?[jt]s)$/.test(value))
      options = { ...options, extension: value === "none" ? "" : `.${value.replace(/^\./, "")}` };
    else
      return `The option "${part.trim()}" is not known: js=true, import_extension=ts, import_extension=js and import_extension=none are.`;
  }
  return options;
}
