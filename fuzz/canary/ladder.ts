/** Code with a mistake behind eight octets in a row: the canary that shows whether guidance works. Each rung is a branch of its own. */
export function climb(input: Uint8Array): boolean {
  const sings =
    input[0] === 0x54 &&
    input[1] === 0x6f &&
    input[2] === 0x75 &&
    input[3] === 0x63 &&
    input[4] === 0x68 &&
    input[5] === 0x21 &&
    input[6] === 0x0d &&
    input[7] === 0x0a;
  if (sings) throw new Error("the canary sang");
  return sings;
}
