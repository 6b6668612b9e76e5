/** Storage of the browser: `localStorage` outlasts the tab, `sessionStorage` belongs to it. */
type Area = 'localStorage' | 'sessionStorage';

/** Value under one name in the storage of the browser. */
export interface StoredValue<Value> {
  /** Return the value; null without one, and for a text of another shape. */
  readonly read: () => Value | null;
  /** Store the value; null removes it. */
  readonly write: (value: Value | null) => void;
}

interface StoredValueOptions<Value> {
  readonly area: Area;
  readonly name: string;
  /** Return the value in parsed JSON of any origin; null for another shape. It may throw. */
  readonly parse: (json: unknown) => Value | null;
}

/** Texts that the browser did not store, by area and name; null for a value that was removed. */
const memory = new Map<string, string | null>();

/** Return a stored value. It is in memory only where the browser refuses to store it: nothing here throws. */
export function storedValueOf<Value>({ area, name, parse }: StoredValueOptions<Value>): StoredValue<Value> {
  const place = `${area} ${name}`;
  const textOf = (): string | null => {
    const text = memory.get(place);
    return text === undefined ? globalThis[area].getItem(name) : text;
  };
  return {
    read: () => {
      try {
        const text = textOf();
        return text === null ? null : parse(JSON.parse(text));
      } catch {
        return null;
      }
    },
    write: (value) => {
      const text = value === null ? null : JSON.stringify(value);
      try {
        // Reading the property itself throws where the user has blocked the storage.
        if (text === null) globalThis[area].removeItem(name);
        else globalThis[area].setItem(name, text);
        memory.delete(place);
      } catch {
        memory.set(place, text);
      }
    },
  };
}

/** Return the texts of a stored list; null for another shape. */
export const textsIn = (json: unknown): readonly string[] | null =>
  Array.isArray(json) && json.every((one) => typeof one === 'string') ? json : null;
