import type { Command } from "commander";
export function crosscheckCommand(_program: Command): void {}
