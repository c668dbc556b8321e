import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_PARAMETERS, PARAMETERS, readParameters, writeParameters, type ParameterName, type Parameters } from "./params.ts";
import type { Side } from "./stream-id.ts";
import { fromHex, octets, toHex } from "./testing.ts";

const read = (hex: string, by: Side = "server"): Parameters | string => {
  const got = readParameters(fromHex(hex), by);
  return "is" in got ? `${got.name} (${"code" in got ? got.code : "discard"})` : got;
};
const TOKEN = toHex(octets(16, 7));
const ADDRESS = `7f000001 01bb ${toHex(octets(16, 1))} 01bc 02 aabb ${TOKEN}`;
const integers = (Object.keys(PARAMETERS) as ParameterName[]).flatMap((name) => {
  const row = PARAMETERS[name];
  return row.form === "integer"
    ? [{ name, id: row.id.toString(16).padStart(2, "0"), min: "min" in row ? row.min : 0, max: "max" in row ? row.max : 2 ** 62 }]
    : [];
});

describe("transport parameters", () => {
  test("nothing sent means the defaults", () => {
    expect(read("")).toEqual(DEFAULT_PARAMETERS);
    expect(DEFAULT_PARAMETERS).toMatchObject({
      max_udp_payload_size: 65_527,
      ack_delay_exponent: 3,
      max_ack_delay: 25,
      active_connection_id_limit: 2,
      initial_max_data: 0,
      disable_active_migration: false,
    });
    expect(writeParameters(DEFAULT_PARAMETERS)).toHaveLength(0);
  });

  test.each([
    ["00 02 aabb", { original_destination_connection_id: fromHex("aabb") }],
    ["01 02 7530", { max_idle_timeout: 0x3530 }],
    [`02 10 ${TOKEN}`, { stateless_reset_token: octets(16, 7) }],
    ["03 02 44b0", { max_udp_payload_size: 1200 }],
    ["0c 00", { disable_active_migration: true }],
    [
      `0d 2b ${ADDRESS}`,
      {
        preferred_address: {
          ipv4: { address: fromHex("7f000001"), port: 443 },
          ipv6: { address: octets(16, 1), port: 444 },
          id: fromHex("aabb"),
          resetToken: octets(16, 7),
        },
      },
    ],
    ["0f 00", { initial_source_connection_id: octets(0) }],
    ["10 01 aa", { retry_source_connection_id: fromHex("aa") }],
    ["11 0c 00000001 6b3343cf 00000001", { version_information: { chosen: 1, available: [0x6b33_43cf, 1] } }],
    ["20 04 80010000", { max_datagram_frame_size: 65_536 }],
  ])("%s is read, and written the same", (wire, expected) => {
    expect(read(wire)).toEqual({ ...DEFAULT_PARAMETERS, ...expected });
    expect(toHex(writeParameters(expected))).toBe(wire.replaceAll(" ", ""));
  });

  test("unknown parameters are ignored", () => {
    expect(read("1b 03 010203 3a 00 7fff 01 00")).toEqual(DEFAULT_PARAMETERS);
    expect(read("d000000000000001 00 d000000000000002 00")).toEqual(DEFAULT_PARAMETERS);
  });

  test.each([
    ["a length beyond the end", "01 02 01", "parametersTruncated"],
    ["an id cut short", "40", "parametersTruncated"],
    ["twice", "01 01 01 01 01 01", "parameterTwice"],
    ["an unknown one twice", "3a 00 3a 00", "parameterTwice"],
    ["an integer of no octets", "01 00", "parameterMalformed"],
    ["an integer longer than its value", "01 02 0101", "parameterMalformed"],
    ["an integer cut short", "01 01 40", "parameterMalformed"],
    ["a flag with a value", "0c 01 00", "parameterMalformed"],
    ["an ID of 21 octets", `0f 15 ${toHex(octets(21))}`, "parameterMalformed"],
    ["a token of 15 octets", `02 0f ${toHex(octets(15))}`, "parameterMalformed"],
    ["a token of 17 octets", `02 11 ${toHex(octets(17))}`, "parameterMalformed"],
    ["version information without octets", "11 00", "versionInformationMalformed"],
    ["version information of 7 octets", "11 07 00000001 000000", "versionInformationMalformed"],
    ["version information with a version 0", "11 08 00000001 00000000", "versionInformationMalformed"],
    ["an address cut short", `0d 2a ${ADDRESS.slice(0, -2)}`, "parameterMalformed"],
    ["an address that is too long", `0d 2c ${ADDRESS} 00`, "parameterMalformed"],
    ["an address without an ID", `0d 29 ${ADDRESS.replace("02 aabb", "00")}`, "preferredAddressZeroLengthId"],
    ["an address with an ID of 21 octets", `0d 3e ${ADDRESS.replace("02 aabb", `15 ${toHex(octets(21))}`)}`, "parameterMalformed"],
  ])("%s is refused", (_, wire, name) => {
    expect(read(wire)).toBe(`${name} (TRANSPORT_PARAMETER_ERROR)`);
  });

  test.each(integers)("$name: its bounds are $min and $max", ({ name, id, min, max }) => {
    const wire = (value: bigint): string => `${id} 08 ${(value | (3n << 62n)).toString(16)}`;
    const top = max === 2 ** 62 ? 2n ** 62n - 1n : BigInt(max);
    expect(read(wire(BigInt(min)))).toMatchObject({ [name]: min });
    expect(read(wire(top))).toMatchObject({ [name]: max });
    const beyond = [...(min > 0 ? [BigInt(min) - 1n] : []), ...(max < 2 ** 62 ? [top + 1n] : [])];
    for (const value of beyond) expect(read(wire(value))).toBe("parameterOutOfRange (TRANSPORT_PARAMETER_ERROR)");
  });

  test.each(["00 01 aa", `02 10 ${TOKEN}`, `0d 2b ${ADDRESS}`, "10 00"])("a client may not send %s", (wire) => {
    expect(read(wire, "client")).toBe("parameterOfServerByClient (TRANSPORT_PARAMETER_ERROR)");
    expect(typeof read(wire, "server")).toBe("object");
  });

  test("what is written reads the same; any octets are parameters or a fault", () => {
    const values = fc.record(
      {
        max_idle_timeout: fc.maxSafeNat(),
        initial_max_data: fc.maxSafeNat(),
        initial_max_streams_bidi: fc.nat(2 ** 31 - 1),
        ack_delay_exponent: fc.nat(20),
        disable_active_migration: fc.constant(true),
        initial_source_connection_id: fc.uint8Array({ maxLength: 20 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (some) => {
        expect(readParameters(writeParameters(some), "client")).toEqual({ ...DEFAULT_PARAMETERS, ...some });
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const got = readParameters(bytes, "server");
        expect("is" in got && "code" in got ? got.code : "TRANSPORT_PARAMETER_ERROR").toBe("TRANSPORT_PARAMETER_ERROR");
      }),
    );
  });
});
