import { connect } from 'node:net';

// Usage: socketReaders.ts <port> <count>. Opens sockets and reads without parsing.
const [port = '0', count = '0'] = process.argv.slice(2);
let openCount = 0;
for (let index = 0; index < Number(count); index += 1) {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(
      'GET / HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    socket.once('data', () => {
      openCount += 1;
      if (openCount === Number(count)) process.stdout.write('open\n');
    });
    socket.resume();
  });
  socket.on('error', () => socket.destroy());
}
