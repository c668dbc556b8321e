/** Descriptors: contracts as messages, which compilers give to plug-ins and servers to clients that reflect. */
export * from "./descriptor.pb.ts";
export { answerCompiler } from "./plugin.ts";
export { loadDescriptors } from "./read.ts";
export { describeContract } from "./write.ts";
