import { ServerResponse } from 'node:http';

/** Let servers write the date of the virtual clock: Node's own cannot be replaced. */
export function installHttpDate(): void {
  const { writeHead } = ServerResponse.prototype;
  Object.assign(ServerResponse.prototype, {
    writeHead(this: ServerResponse, ...args: readonly unknown[]) {
      const isMissing = this.sendDate && !this.headersSent && !this.hasHeader('date');
      if (isMissing) this.setHeader('Date', new Date().toUTCString());
      return Reflect.apply(writeHead, this, args);
    },
  });
}
