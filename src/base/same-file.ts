// Whether two paths mean one file, by whatever links and names they lead to it.

import { type BigIntStats, lstatSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { realPathOf } from "./stat.ts";

/**
 * True if what is written at one of two absolute paths is found at the other: one inode where something stands, one place
 * where nothing does yet. A device is never the same as itself: what is written to it is not found there.
 */
export function isSameFile(one: string, other: string): boolean {
  const [here, there] = [bigStat(one), bigStat(other)];
  if (here !== undefined && there !== undefined)
    return here.dev === there.dev && here.ino === there.ino && !isDevice(here);
  return here === there && placeOf(one) === placeOf(other);
}

/** Numbers of inodes may be larger than a double holds. */
function bigStat(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function isDevice(stat: BigIntStats): boolean {
  return stat.isCharacterDevice() || stat.isBlockDevice();
}

/** As many as Linux follows (`path_resolution(7)`). */
const MOST_LINKS = 40;

/** Where a file would be made: a link that leads nowhere yet is followed too. */
function placeOf(path: string): string {
  let place = realPathOf(path);
  for (let links = 0; links < MOST_LINKS && isLink(place); links++)
    place = realPathOf(resolve(dirname(place), readlinkSync(place)));
  return place;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
