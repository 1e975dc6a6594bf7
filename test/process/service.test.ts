import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'

const CONTRIB = new URL('../../contrib/', import.meta.url).pathname
const UNIT = `${CONTRIB}harrier.service`
const UNITS = ['harrier.service', 'harrier@.service'] as const
const folder = tempFolder()
const analyze = Bun.which('systemd-analyze')

test.skipIf(analyze === null)('the systemd unit shuts its service off: exposure of at most 2.0 out of 10', () => {
  const { exitCode, stdout } = Bun.spawnSync([
    ...[analyze ?? '', 'security', '--offline=true', '--no-pager', '--threshold=20', UNIT],
  ])
  const [, exposure] = /exposure level for harrier\.service: ([\d.]+)/.exec(stdout.toString()) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2)
  expect(exitCode).toBe(0)
})

test.skipIf(analyze === null)(
  'both units are understood, and that of several runners differs in its names only',
  async () => {
    const texts: string[] = []
    for (const name of UNITS) {
      const text = await Bun.file(CONTRIB + name).text()
      texts.push(text.replace(/^#.*\n/gm, ''))
      const path = join(folder, name)
      // the program need not be installed
      writeFileSync(path, text.replaceAll('/usr/local/bin/harrier', '/bin/true'))
      const { exitCode, stderr } = Bun.spawnSync([analyze ?? '', 'verify', '--man=no', path])
      expect([name, exitCode, stderr.toString()]).toEqual([name, 0, ''])
    }
    const [one = '', several = ''] = texts
    const alike = several
      .replace('the running tracker of %i', 'a running tracker')
      .replace('EnvironmentFile=/etc/harrier/%i.env', 'EnvironmentFile=-/etc/harrier.env')
      .replaceAll('harrier/%i', 'harrier')
    expect(alike).toBe(one)
  },
)

test.skipIf(analyze === null)(
  'a backup may lower its own priority: the last line about setpriority allows it',
  async () => {
    const { stdout } = Bun.spawnSync([analyze ?? '', 'syscall-filter', '--no-pager'])
    const groups = new Map<string, string[]>()
    for (const block of stdout.toString().split(/\n(?=@)/)) {
      const [name = '', ...calls] = block.split('\n').map((line) => line.trim())
      groups.set(name, calls)
    }
    const covers = (word: string): boolean => word === 'setpriority' || (groups.get(word) ?? []).some(covers)
    expect([covers('@resources'), covers('@file-system')]).toEqual([true, false])
    for (const name of UNITS) {
      const lines = [...(await Bun.file(CONTRIB + name).text()).matchAll(/^SystemCallFilter=(~?)(.*)$/gm)]
      const last = lines.findLast(([, , words = '']) => words.split(' ').some(covers))
      expect([name, last?.[1]]).toEqual([name, ''])
    }
  },
)
