import { styleText } from 'node:util';

/** Every control character but tab and line feed. */
// oxlint-disable-next-line eslint/no-control-regex -- these are the characters that must not reach a terminal.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Escape the control characters of a text as `\u001b`, which is valid inside a JSON string too. No ticker, title or
 * message from outside can colour or erase terminal output or rename the window.
 */
export function shownText(text: string): string {
  return text.replaceAll(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Return an escaped text with its check marks in green and its crosses in red. */
export function colouredText(text: string): string {
  return text
    .replaceAll('✔', styleText('green', '✔', { validateStream: false }))
    .replaceAll('✖', styleText('red', '✖', { validateStream: false }));
}
