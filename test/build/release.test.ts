import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDeb } from '../../build/deb.ts'
import { sectionOf } from '../../build/release.ts'
import { run } from '../../build/run-command.ts'
import { completed } from '../../build/sbom.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { sourceCommit } from '../../src/base/source-commit.ts'
import { tempFolder } from '../temp-folder.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const work = tempFolder()

test('the changelog has the section of this version, with the numbers that change', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  expect(sectionOf(changelog, packageJson.version)).toStartWith('- ')
  const older = '# Changelog\n\n## 1.1.0\n\n- New\n\n### Numbers that change\n\n- None\n\n## 1.0.0\n\n- Old\n'
  expect(sectionOf(older, '1.1.0')).toBe('- New\n\n### Numbers that change\n\n- None\n')
  expect(() => sectionOf(older, '1.0.0')).toThrow('has no heading "Numbers that change"')
  expect(() => sectionOf(older, '2.0.0')).toThrow('CHANGELOG.md has no section 2.0.0')
})

test('a program from a clone knows its commit, in a worktree and with packed refs, and elsewhere none', () => {
  const head = (folder: string) => run(['git', 'rev-parse', 'HEAD'], folder).trim()
  const clone = join(work, 'clone')
  mkdirSync(clone)
  const git = (...args: string[]) => run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], clone)
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  expect(sourceCommit(clone)).toBe(head(clone))
  git('worktree', 'add', '-q', '../second')
  expect(sourceCommit(join(work, 'second'))).toBe(head(join(work, 'second')))
  git('pack-refs', '--all')
  expect(sourceCommit(clone)).toBe(head(clone))
  git('checkout', '-q', '--detach')
  expect(sourceCommit(clone)).toBe(head(clone))
  expect(sourceCommit(work)).toBeNull()
})

const dpkg = Bun.which('dpkg')
// dpkg wants programs that are not on the path of users
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

test.skipIf(dpkg === null)('a package is installed, upgraded, removed and purged; what the service kept stays', () => {
  const binary = join(work, 'binary')
  writeFileSync(binary, '#!/bin/sh\necho harrier\n')
  const deb = (version: string, name: string) => {
    const out = join(work, name)
    makeDeb({ root: ROOT, work, binary, architecture: 'amd64', version, timeS: 1_764_000_000, out })
    return out
  }
  const [first, again, second] = [deb('1.0.0', 'a.deb'), deb('1.0.0', 'b.deb'), deb('1.0.1', 'c.deb')]
  expect(readFileSync(first).equals(readFileSync(again))).toBe(true)
  const root = mkdtempSync(join(work, 'root-'))
  for (const folder of ['var/lib/dpkg/updates', 'var/lib/dpkg/info', 'var/lib/private/harrier', 'var/log']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  for (const file of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', file), '')
  writeFileSync(join(root, 'var/lib/private/harrier/harrier.sqlite'), 'runs')
  const installed = (...args: string[]) =>
    run([dpkg ?? '', `--root=${root}`, '--force-not-root,depends,architecture', '--log=/dev/null', ...args], work, {
      PATH,
    })
  const files = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('var/lib/dpkg'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .toSorted()
  const kept = ['var/lib/private/harrier/harrier.sqlite']
  for (const package_ of [first, second]) {
    installed('--install', package_)
    expect(run([join(root, 'usr/bin/harrier')], work)).toBe('harrier\n')
    expect(files()).toEqual(
      expect.arrayContaining(['usr/lib/systemd/system/harrier.service', 'usr/share/doc/harrier/copyright', ...kept]),
    )
  }
  expect(readFileSync(join(root, 'usr/lib/systemd/system/harrier@.service'), 'utf8')).toContain(
    'ExecStart=/usr/bin/harrier\n',
  )
  installed('--remove', 'harrier')
  expect(files()).toEqual(kept)
  installed('--purge', 'harrier')
  expect(files()).toEqual(kept)
})

test('the list of parts has Bun and the page of the API, and nothing of the machine that made it', () => {
  const bom = {
    metadata: { tools: { components: [{ name: 'npm' }, { name: 'cyclonedx-npm' }] } },
    components: [{ name: 'elysia' }],
  }
  const made = JSON.parse(completed(bom, '1.0.0'))
  expect(made.components.map(({ name }: { name: string }) => name)).toEqual(['bun', 'elysia', 'swagger-ui-dist'])
  expect(made.components[0].version).toBe(Bun.version)
  expect(made.metadata.tools.components).toEqual([{ name: 'cyclonedx-npm' }])
})

test('the tag job is valid YAML that publishes what the script makes', async () => {
  const job = Bun.YAML.parse(await Bun.file(`${ROOT}.github/workflows/release.yml`).text()) as {
    on: { push: { tags: string[] } }
    jobs: Record<string, { steps: { run?: string }[] }>
  }
  expect(job.on.push.tags).toEqual(['v*'])
  const runs = Object.values(job.jobs).flatMap(({ steps }) => steps.map((step) => step.run ?? ''))
  expect(runs).toContain('npx -y bun@1.4.5 run release')
  expect(runs.join('\n')).toContain('--platform linux/amd64,linux/arm64')
})
