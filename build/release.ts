// bun run release [folder]: everything that is published of a tag, in dist/release. The same commit gives the same bytes.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { makeDeb } from './deb.ts'
import { embeddedModule, originOf } from './embedded.ts'
import { buildFile } from './file.ts'
import { run } from './run-command.ts'
import { makeSbom } from './sbom.ts'
import { TARGETS } from './targets.ts'

const ROOT = join(import.meta.dir, '..')
/** Architectures of Debian, and the file for each. */
const DEBS = { amd64: 'harrier-linux-x64', arm64: 'harrier-linux-arm64' } as const

/** The section of a version in CHANGELOG.md, without its heading. @throws Error when there is none */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${version} `) || text.startsWith(`## ${version}\n`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`)
  if (!section.includes('\n### Numbers that change\n')) {
    throw new Error(`The section ${version} of CHANGELOG.md has no heading "Numbers that change"`)
  }
  return `${section.slice(section.indexOf('\n')).trim()}\n`
}

interface Release {
  readonly version: string
  /** Time of the commit, Unix seconds. */
  readonly timeS: number
}

/** @throws Error unless the clone is clean and at the tag of its version */
export function releaseOf(root: string): Release {
  const git = (...args: string[]) => run(['git', ...args], root).trim()
  const version = packageJson.version
  if (git('status', '--porcelain') !== '') throw new Error('The clone has changes that are not committed')
  const tags = git('tag', '--points-at', 'HEAD').split('\n')
  if (!tags.includes(`v${version}`)) throw new Error(`The commit has no tag v${version}`)
  return { version, timeS: Number(git('log', '-1', '--format=%ct')) }
}

/** A folder as `.tar.gz`, of which nothing depends on the machine: order, owner, modes and time. */
function tarOf(parent: string, name: string, { out, timeS }: { out: string; timeS: number }): void {
  const sorted = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
  run(['sh', '-c', 'tar "$@" | gzip -n >"$0"', out, ...sorted, `--mtime=@${timeS}`, '-cf', '-', name], parent)
}

/** A folder as `.zip`: times are those of the files, which are set before, in UTC. */
function zipOf(parent: string, name: string, { out, timeS }: { out: string; timeS: number }): void {
  const names = readdirSync(join(parent, name))
    .toSorted()
    .map((file) => `${name}/${file}`)
  run(['touch', '-d', `@${timeS}`, ...names], parent, { TZ: 'UTC' })
  run(['zip', '-X', '-q', out, ...names], parent, { TZ: 'UTC' })
}

async function release(out: string): Promise<void> {
  const { version, timeS } = releaseOf(ROOT)
  const notes = sectionOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)
  const work = mkdtempSync(join(tmpdir(), 'harrier-release-'))
  try {
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out, { recursive: true })
    const embedded = await embeddedModule(join(work, 'page'), originOf(ROOT))
    for (const target of TARGETS) {
      await buildFile(target, embedded, join(work, target.file))
      const isWindows = target.file.endsWith('.exe')
      const name = `${target.file.replace(/\.exe$/, '')}-${version}`
      const folder = join(work, name)
      mkdirSync(folder)
      copyFileSync(join(work, target.file), join(folder, isWindows ? 'harrier.exe' : 'harrier'))
      for (const file of ['LICENSE', 'README.md']) copyFileSync(join(ROOT, file), join(folder, file))
      if (target.file.includes('linux')) cpSync(join(ROOT, 'contrib'), join(folder, 'contrib'), { recursive: true })
      const packed = join(out, `${name}.${isWindows ? 'zip' : 'tar.gz'}`)
      if (isWindows) zipOf(work, name, { out: packed, timeS })
      else tarOf(work, name, { out: packed, timeS })
      rmSync(folder, { recursive: true })
    }
    for (const [architecture, file] of Object.entries(DEBS)) {
      const deb = join(out, `harrier_${version}_${architecture}.deb`)
      makeDeb({ root: ROOT, work, binary: join(work, file), architecture, version, timeS, out: deb })
    }
    const source = `harrier-${version}`
    run(
      [
        'sh',
        '-c',
        'git archive --format=tar --prefix="$1/" HEAD | gzip -n >"$0"',
        join(out, `${source}.tar.gz`),
        source,
      ],
      ROOT,
    )
    writeFileSync(join(out, `harrier-${version}.cdx.json`), makeSbom({ root: ROOT, work, version }))
    writeFileSync(join(out, 'CHANGES.md'), notes)
    const names = readdirSync(out).toSorted()
    const sums = names.map((name) => `${sha256Of(join(out, name))}  ${name}\n`).join('')
    writeFileSync(join(out, 'SHA256SUMS'), sums)
    for (const name of readdirSync(out)) chmodSync(join(out, name), 0o644)
    process.stdout.write(sums)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function sha256Of(path: string): string {
  return new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
}

if (import.meta.main) {
  try {
    await release(resolve(process.argv[2] ?? join(ROOT, 'dist/release')))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
