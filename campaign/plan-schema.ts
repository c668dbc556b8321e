const whole = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });

/** The JSON schema of a plan. */
export const PLAN_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["jobs"],
  properties: {
    name: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
    attempts: whole(1, 20),
    rate: {
      type: "object",
      additionalProperties: false,
      required: ["jobs", "seconds"],
      properties: { jobs: whole(1, 100_000), seconds: whole(1, 86_400) },
    },
    jobs: {
      type: "array",
      minItems: 1,
      maxItems: 10_000,
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          check: { type: "string", minLength: 1 },
          fuzz: { type: "string", minLength: 1 },
          mutate: { type: "string", minLength: 1 },
          shards: whole(1, 1_000),
          priority: whole(0, 1_000),
        },
      },
    },
  },
} as const;
