// Calls that have no result yet, by id. An id may be used again; results go to the calls of an id in order.

export interface OpenCalls {
  open(id: string, name: string): void;
  /** The name of the oldest open call of that id, which is then closed. */
  close(id: string): string | undefined;
  /** How many are open. */
  count(): number;
}

/** No calls open. */
export function createOpenCalls(): OpenCalls {
  const names = new Map<string, string[]>();
  return {
    open(id, name) {
      const calls = names.get(id);
      if (calls === undefined) names.set(id, [name]);
      else calls.push(name);
    },
    close(id) {
      const calls = names.get(id);
      const name = calls?.shift();
      if (calls?.length === 0) names.delete(id);
      return name;
    },
    count: () => [...names.values()].reduce((sum, open) => sum + open.length, 0),
  };
}
