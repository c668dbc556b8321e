/** A log for tests: a connection that loses a packet; `hostile` stands where a peer chooses the text. */
export function sampleLog(hostile = "bye"): string {
  const packet = (time: number, way: string, number: number, frames: readonly object[]): object => ({
    time,
    name: `transport:packet_${way}`,
    data: { header: { packet_type: "1RTT", packet_number: number }, raw: { length: 1200 }, frames },
  });
  const metrics = (time: number, data: object): object => ({ time, name: "recovery:metrics_updated", data });
  const records = [
    {
      qlog_format: "JSON-SEQ",
      qlog_version: "0.3",
      trace: { vantage_point: { type: "server" }, common_fields: { ODCID: "0011aabb", time_format: "relative" } },
    },
    { time: 0, name: "transport:parameters_set", data: { owner: "local", initial_max_data: 65_536, grease: hostile } },
    { time: 1, name: "transport:parameters_set", data: { owner: "remote", initial_max_data: 1024 } },
    packet(2, "sent", 7, [{ frame_type: "stream", stream_id: 4, offset: 0, length: 1100, fin: true }]),
    metrics(2, { congestion_window: 12_000, bytes_in_flight: 1200 }),
    packet(12, "received", 3, [
      {
        frame_type: "ack",
        ack_delay: 1,
        acked_ranges: [
          [0, 4],
          [6, 6],
        ],
      },
    ]),
    metrics(12, { latest_rtt: 10, bytes_in_flight: 0 }),
    { time: 30, name: "recovery:packet_lost", data: { header: { packet_type: "1RTT", packet_number: 7 } } },
    { time: 40, name: "http3:frame_created", data: { frame: { frame_type: "headers", headers: [{ name: ":status", value: "200" }] } } },
    { time: 50, name: "connectivity:connection_closed", data: { owner: "remote", application_code: 256, reason: hostile } },
  ];
  return records.map((record) => `\u001e${JSON.stringify(record)}\n`).join("");
}
