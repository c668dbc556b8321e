import { defineConfig } from "oxlint";
import { boundaries } from "./ci/checks/layers.ts";

/** Correctness and suspicion as errors; the arrows of ARCHITECTURE.md as restricted imports, from the same table as the check; no import circles. */
export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["dist", "reports/out", "reports/published", "fuzz/corpus"],
  rules: {
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "unicorn/consistent-function-scoping": "off",
    "import/no-unassigned-import": "off",
    "no-shadow": "off",
    "no-useless-concat": "off",
    "no-underscore-dangle": "off",
    "no-await-in-loop": "off",
    "vitest/no-conditional-tests": "off",
    "vitest/require-mock-type-parameters": "off",
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "import/no-named-as-default-member": "off",
    eqeqeq: "error",
    "no-console": "off",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "max-params": ["error", { max: 4 }],
  },
  // Rows of `test.each` arrive as parameters, however many columns a table has.
  overrides: [...boundaries(), { files: ["**/*.test.ts", "**/testing.ts"], rules: { "max-params": "off" } }],
});
