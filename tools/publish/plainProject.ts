import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../tidy/workspace.ts';
import { publishedPackages, readManifest } from './published.ts';

const execute = promisify(execFile);

/** Page whose command packs the packages. */
const installPage = join(repositoryRoot, 'docs/packages.md');
/** Packed beside ours, because npm installs dependencies; it has none of its own. */
const packedNeighbour = join(repositoryRoot, 'tools/node_modules/zod');
/** Linked: npm leaves peers to the project, and this one has a dependency tree of its own. */
const linkedPeer = join(repositoryRoot, 'tools/node_modules/viem');

/** An empty project with every package installed from its tarball, without a registry. */
export class PlainProject {
  readonly folder: string;
  /** Tarball by name of the package. */
  readonly tarballs: ReadonlyMap<string, string>;

  private constructor(folder: string, tarballs: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.tarballs = tarballs;
  }

  /** Pack every published package and install the tarballs into an empty folder. */
  static async install(folder: string): Promise<PlainProject> {
    const tarballs = await packPublished(join(folder, 'tarballs'));
    const neighbour = await packPlain(packedNeighbour, join(folder, 'neighbour'));
    const project = new PlainProject(join(folder, 'project'), tarballs);
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
   * Return the output of a program in the project, run without the environment of the workspace.
   *
   * @throws Error with the output of a failing program.
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

/**
 * Pack all published packages by the program of the line in the documents, with a relative folder as a reader would
 * name it. Return the tarballs by name of the package.
 */
async function packPublished(destination: string): Promise<ReadonlyMap<string, string>> {
  const script = /^npx -y pnpm@12 (\w+)$/m.exec(readFileSync(installPage, 'utf8'))?.[1] ?? 'missing';
  const program = readManifest(repositoryRoot).scripts?.[script]?.split(' ').at(-1) ?? 'missing';
  await execute(process.execPath, [program, relative(repositoryRoot, destination)], { cwd: repositoryRoot });
  return new Map(
    publishedPackages().map(({ shortName, manifest: { version } }) => [
      shortName,
      tarballIn(destination, `-${shortName}-${version}.tgz`),
    ]),
  );
}

/** Pack an installed package as a registry would send it. */
async function packPlain(packageFolder: string, destination: string): Promise<string> {
  cpSync(realpathSync(packageFolder), join(destination, 'package'), { recursive: true });
  await execute('tar', ['-czf', 'package.tgz', 'package'], { cwd: destination });
  return tarballIn(destination);
}

function tarballIn(folder: string, ending = '.tgz'): string {
  const name = readdirSync(folder).find((file) => file.endsWith(ending));
  if (name === undefined) throw new Error(`nothing was packed into ${folder}`);
  return join(folder, name);
}
