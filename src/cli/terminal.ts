// Whether a descriptor is a terminal, without the price of asking: `node:tty` brings the network modules with it, which
// costs a start more than all of our own code. Only a device can be a terminal, and in scripts nothing is one.

import * as fs from "node:fs";
import { devNull } from "node:os";
import { getBuiltinModule } from "node:process";

/** What `isatty` answers. False for a descriptor that is closed. */
export function isTerminal(fd: number): boolean {
  try {
    const { rdev, isDevice } = deviceOf(fs.fstatSync(fd));
    if (!isDevice || rdev === deviceOf(fs.statSync(devNull)).rdev) return false;
  } catch {
    return false;
  }
  return getBuiltinModule("node:tty").isatty(fd);
}

function deviceOf(stat: fs.Stats): { readonly isDevice: boolean; readonly rdev: number } {
  return { isDevice: stat.isCharacterDevice(), rdev: stat.rdev };
}
