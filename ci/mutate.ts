import { Command } from "commander";
import { declareMutate } from "./mutate/command.ts";

const command = declareMutate(new Command("mutate"));
await command.parseAsync();
