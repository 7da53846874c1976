// Whether a descriptor is a terminal, without the price of asking: `node:tty` brings the network modules with it, 0.7
// ms of every start. Only a device can be a terminal, and in scripts nothing is one.

import * as fs from "node:fs";
import { devNull } from "node:os";
import { getBuiltinModule } from "node:process";

/** What `isatty` answers. */
export function isTerminal(fd: number): boolean {
  return canBeTerminal(fd) && getBuiltinModule("node:tty").isatty(fd);
}

/** False for what is no device, and for the one that scripts give; true also where the system cannot tell. */
function canBeTerminal(fd: number): boolean {
  try {
    const stat = fs.fstatSync(fd);
    return stat.isCharacterDevice() && stat.rdev !== fs.statSync(devNull).rdev;
  } catch {
    return true;
  }
}
