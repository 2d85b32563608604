// Of Node.js and happy-dom what the tests use: their own types would be those of all scripts, which browsers run.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
  export function after(run: () => void): void;
  export function afterEach(run: () => void): void;
  export const mock: {
    reset(): void;
    method(place: object, name: string, replacement: (...all: any[]) => unknown): void;
    timers: {
      enable(options: { apis: ("setTimeout" | "setInterval" | "Date")[]; now: number }): void;
      reset(): void;
      tick(milliseconds: number): void;
    };
  };
}

declare module "node:assert/strict" {
  const assert: {
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    ok(value: unknown, message?: string): asserts value;
    match(actual: unknown, expected: RegExp, message?: string): void;
    throws(run: () => unknown, expected?: RegExp): void;
    rejects(promise: Promise<unknown>, expected?: RegExp): Promise<void>;
  };
  export default assert;
}

declare module "node:fs" {
  export function readFileSync(file: URL, encoding: "utf8"): string;
}

declare module "node:module" {
  type Resolve = (name: string, context: object) => { url: string };
  export function registerHooks(hooks: { resolve(name: string, context: object, next: Resolve): { url: string } }): void;
}

declare const process: { env: Record<string, string> };
declare function setImmediate(run: (value: unknown) => void): void;
