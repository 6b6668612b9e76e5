import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../tidy/workspace.ts';
import { type PublishedRoom, publishedRooms } from './published.ts';

const execute = promisify(execFile);

/** Packed beside ours, because npm installs what a package depends on; it depends on nothing itself. */
const packedNeighbour = join(repositoryRoot, 'tools/node_modules/zod');
/** Linked: npm leaves a peer to the project that installs, and this one has a tree of its own. */
const linkedPeer = join(repositoryRoot, 'tools/node_modules/viem');

/** An empty project into which every package was installed from its tarball, without a registry. */
export class PlainProject {
  readonly folder: string;
  /** Name of a package → its tarball. */
  readonly tarballs: ReadonlyMap<string, string>;

  private constructor(folder: string, tarballs: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.tarballs = tarballs;
  }

  /** Packs every published room and installs the tarballs together into an empty folder. */
  static async install(folder: string): Promise<PlainProject> {
    const packed: (readonly [string, string])[] = [];
    for (const room of publishedRooms()) packed.push([room.shortName, await pack(room, join(folder, room.shortName))]);
    const neighbour = await packPlain(packedNeighbour, join(folder, 'neighbour'));
    const project = new PlainProject(join(folder, 'project'), new Map(packed));
    mkdirSync(project.folder);
    project.write('package.json', JSON.stringify({ name: 'plain', private: true, type: 'module' }));
    const install = ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
    await project.run('npm', [...install, neighbour, ...project.tarballs.values()]);
    symlinkSync(realpathSync(linkedPeer), join(project.folder, 'node_modules/viem'));
    return project;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /**
   * Output of a program that runs in the project; nothing of the workspace's environment may help it along.
   *
   * @throws Error with the output of one that fails.
   */
  async run(program: string, args: readonly string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: this.folder, npm_config_cache: join(this.folder, '.npm') };
    return await new Promise((resolve, reject) => {
      execFile(program, [...args], { cwd: this.folder, env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program} failed:\n${stdout}${stderr}`, { cause: error }));
      });
    });
  }
}

/** `pnpm pack` alone, as a publisher calls it. */
async function pack(room: PublishedRoom, destination: string): Promise<string> {
  mkdirSync(destination);
  // The packer that runs these tests when there is one.
  const started = process.env['npm_execpath'] ?? '';
  const [command, first] = /pnpm[^/]*\.[cm]?js$/.test(started)
    ? [process.execPath, [started]]
    : started.endsWith('pnpm')
      ? [started, []]
      : ['npx', ['-y', 'pnpm@12']];
  await execute(command, [...first, 'pack', '--pack-destination', destination], { cwd: room.folder });
  return tarballIn(destination);
}

/** A tarball of what is installed here, as the registry would send it. */
async function packPlain(packageFolder: string, destination: string): Promise<string> {
  cpSync(realpathSync(packageFolder), join(destination, 'package'), { recursive: true });
  await execute('tar', ['-czf', 'package.tgz', 'package'], { cwd: destination });
  return tarballIn(destination);
}

function tarballIn(folder: string): string {
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`nothing was packed into ${folder}`);
  return join(folder, name);
}
