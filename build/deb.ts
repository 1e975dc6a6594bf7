import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './run-command.ts'

export interface Deb {
  readonly root: string
  /** A folder for temporary files. */
  readonly work: string
  /** Path of the executable. */
  readonly binary: string
  /** In Debian's words. */
  readonly architecture: string
  readonly version: string
  /** Time of all files in it, Unix seconds. */
  readonly timeS: number
  readonly out: string
}

/**
 * A package of executable, units and docs. It has no maintainer scripts, since the units need no user: the administrator
 * enables one. What they keep below /var/lib stays when it is removed or purged.
 */
export function makeDeb({ root, work, binary, architecture, version, timeS, out }: Deb): void {
  const tree = join(work, `deb-${architecture}`)
  const place = (from: string, to: string, mode = 0o644) => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    copyFileSync(from, join(tree, to))
    chmodSync(join(tree, to), mode)
  }
  place(binary, 'usr/bin/harrier', 0o755)
  for (const unit of ['harrier.service', 'harrier@.service']) {
    const text = readFileSync(join(root, 'contrib', unit), 'utf8').replaceAll('/usr/local/bin/', '/usr/bin/')
    const path = join(tree, 'usr/lib/systemd/system', unit)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o644 })
  }
  place(join(root, 'LICENSE'), 'usr/share/doc/harrier/copyright')
  for (const file of ['README.md', 'CHANGELOG.md']) place(join(root, file), `usr/share/doc/harrier/${file}`)
  for (const file of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))) {
    place(join(root, 'docs', file), `usr/share/doc/harrier/docs/${file}`)
  }
  const installedKb = Math.ceil(statSync(binary).size / 1024) + 1024
  mkdirSync(join(tree, 'DEBIAN'))
  writeFileSync(join(tree, 'DEBIAN/control'), control({ version, architecture, installedKb }))
  run(['sh', '-c', 'find . -type d -exec chmod 755 {} +'], tree)
  run(['dpkg-deb', '--root-owner-group', '-Zgzip', '--build', tree, out], root, { SOURCE_DATE_EPOCH: String(timeS) })
  rmSync(tree, { recursive: true })
}

function control({
  version,
  architecture,
  installedKb,
}: {
  version: string
  architecture: string
  installedKb: number
}): string {
  return `Package: harrier
Version: ${version}
Architecture: ${architecture}
Maintainer: The Harrier authors <harrier@localhost>
Installed-Size: ${installedKb}
Depends: libc6
Section: web
Priority: optional
Description: self-hosted running tracker for one runner
 Imports the files of any watch and computes accurate numbers from them.
 One process with an embedded database; data is kept in /var/lib/harrier,
 also when the package is removed or purged.
`
}
