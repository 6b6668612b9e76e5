import { isTest, isTypeScript, type Offence, roomOf, type SourceFile } from './workspace.ts';

interface Room {
  readonly folder: string;
  readonly packageName: string;
}

/** The map of rooms as ARCHITECTURE.md draws it, in the order in which they may import each other. */
export function roomsOnTheMap(architecture: string): Room[] {
  return [...architecture.matchAll(/^\| `([a-z-]+(?:\/[a-z-]+)?)` \| `(@core\/[a-z-]+)` \|/gm)].map((row) => ({
    folder: row[1] ?? '',
    packageName: row[2] ?? '',
  }));
}

function textOf(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

/** Every workspace package stands on the map under its own name, and the map names no package that is gone. */
export function mapIsComplete(files: readonly SourceFile[]): Offence[] {
  const rooms = roomsOnTheMap(textOf(files, 'ARCHITECTURE.md'));
  const manifests = files.filter((file) => file.path.endsWith('/package.json') && roomOf(file.path) !== '');
  const missing = manifests
    .filter((file) => {
      const name = (JSON.parse(file.text) as { name: string }).name;
      return !rooms.some((room) => `${room.folder}/package.json` === file.path && room.packageName === name);
    })
    .map((file) => ({ where: file.path, what: 'package is missing from the map of rooms in ARCHITECTURE.md' }));
  const gone = rooms
    .filter((room) => !manifests.some((file) => file.path === `${room.folder}/package.json`))
    .map((room) => ({ where: 'ARCHITECTURE.md', what: `the map names ${room.folder}, which does not exist` }));
  return [...missing, ...gone];
}

/** Product code imports only rooms above its own; tests may also use the rooms they span. */
export function importsFollowTheMap(files: readonly SourceFile[]): Offence[] {
  const order = roomsOnTheMap(textOf(files, 'ARCHITECTURE.md')).map((room) => room.packageName);
  const folders = roomsOnTheMap(textOf(files, 'ARCHITECTURE.md')).map((room) => room.folder);
  return files
    .filter((file) => isTypeScript(file.path) && !isTest(file.path))
    .flatMap((file) => {
      const own = folders.indexOf(roomOf(file.path));
      return [...file.text.matchAll(/(?:from|import)\s*\(?'(@core\/[a-z-]+)/g)].flatMap((found) => {
        const target = order.indexOf(found[1] ?? '');
        return own >= 0 && target >= own
          ? [{ where: file.path, what: `imports ${found[1]}, which is not above it` }]
          : [];
      });
    });
}
