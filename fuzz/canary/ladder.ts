/** Code that fails on one sequence of eight octets, each tested in its own branch: the canary that shows whether guidance works. */
export function climb(input: Uint8Array): boolean {
  const isFound =
    input[0] === 0x54 &&
    input[1] === 0x6f &&
    input[2] === 0x75 &&
    input[3] === 0x63 &&
    input[4] === 0x68 &&
    input[5] === 0x21 &&
    input[6] === 0x0d &&
    input[7] === 0x0a;
  if (isFound) throw new Error("the canary's octets were found");
  return isFound;
}
