import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'
import { SOURCES } from './real-server.ts'

const COMMANDS = ['serve', 'backup', 'verify', 'restore', 'rebuild', 'reset-password']

test('help and version are given wherever they are asked for, and wrong arguments end with the usage', () => {
  const cwd = tempFolder()
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(cwd, 'data') }
  const ran = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...SOURCES, ...args], { cwd, env, stdin: 'ignore' })
    return { exitCode, out: `${stdout}`, err: `${stderr}` }
  }
  const [help, version] = [
    expect.stringMatching(/^Harrier, a self-hosted running tracker/),
    expect.stringMatching(/^harrier \d/),
  ]
  for (const before of [[], ['backup'], ['verify', 'a.zip'], ['reset-password'], ['nothing']]) {
    const [short, long, word] = before.length === 0 ? ['-h', '--help', 'help'] : ['-h', '--help', '--help']
    for (const asked of new Set([short, long, word])) {
      expect(ran(...before, asked)).toEqual({ exitCode: 0, out: help, err: '' })
    }
  }
  for (const args of [['-v'], ['--version'], ['version'], ['rebuild', 'version'], ['serve', '-v']]) {
    expect(ran(...args)).toEqual({ exitCode: 0, out: version, err: '' })
  }
  for (const command of COMMANDS) {
    const usage = expect.stringMatching(
      new RegExp(
        `^Usage: bun run ${command === 'serve' ? 'start' : command}( <file>| <folder> \\[stamp\\] <new DATA_DIR>)?\n$`,
      ),
    )
    const refused = { exitCode: 2, out: '', err: usage }
    expect([command, ran(command, '--fast')]).toEqual([command, refused])
    expect([command, ran(command, 'a.zip', 'b.zip', 'c.zip', 'd.zip')]).toEqual([command, refused])
  }
  expect(ran('backup').exitCode).toBe(2)
  expect(ran('backup', 'a.zip', 'b.zip').exitCode).toBe(2)
  expect(ran('restore', 'folder').exitCode).toBe(2)
  expect(ran('constructor')).toMatchObject({ exitCode: 2, err: expect.stringContaining('no command "constructor"') })
  expect(readdirSync(cwd)).toEqual([])
})
