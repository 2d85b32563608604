/** A window without a browser, as a program takes it. */
export class Window {
  constructor(options: { url: string; settings: { errorCapture: string } });
  [name: string]: any;
}
