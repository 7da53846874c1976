// Times as sources write them.

/** ISO 8601 with milliseconds, of an ISO text or of Unix seconds or milliseconds; undefined for anything else. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value === "number") return dateText(value < 100_000_000_000 ? value * 1000 : value);
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
  return dateText(Date.parse(value));
}

function dateText(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) || ms < 0 || ms > 253_402_300_799_999 ? undefined : date.toISOString();
}
