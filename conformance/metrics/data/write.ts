import { writeFileSync } from "node:fs";
import { WrongUse } from "../../harness/driver.ts";
import { dataPage } from "./page.ts";
import { writeDataDirectory } from "./directory.ts";

/** Writes the data set as a page of OpenMetrics, or as a data directory if the path ends with a slash. */
export async function writeData(path: string): Promise<void> {
  try {
    if (path.endsWith("/")) await writeDataDirectory(path);
    else writeFileSync(path, dataPage());
  } catch (error) {
    throw new WrongUse(`The data set cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
