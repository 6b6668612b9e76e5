/** First byte of an unfragmented text frame. */
const finalText = 0x81;
const opening = Buffer.from('{"frame":"event","seq":');

/**
 * An event as one WebSocket text frame, unmasked as a server's are: what all connections share is written once, and
 * only the number of the connection's own event goes before it.
 */
export function eventTextFrame(seq: number, rest: Buffer): Buffer {
  const number = String(seq);
  const length = opening.length + number.length + rest.length;
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = finalText;
  if (headLength === 2) {
    frame[1] = length;
  } else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  opening.copy(frame, headLength);
  frame.write(number, headLength + opening.length, 'latin1');
  rest.copy(frame, headLength + opening.length + number.length);
  return frame;
}
