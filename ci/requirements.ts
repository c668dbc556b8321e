import { Command } from "commander";
import { declareRequirements } from "./requirements/command.ts";

await declareRequirements(new Command("requirements")).parseAsync();
