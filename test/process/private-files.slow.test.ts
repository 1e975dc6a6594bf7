import { expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, type RealServer, SOURCES, startServer } from './real-server.ts'

// A folder that existed before, in a system that lets everybody read what is new.

const folder = tempFolder()
const dataDir = join(folder, 'data')
const through = ['sh', '-c', 'umask 0; exec "$@"', 'sh']

/** Mode of the folder and of everything in it, by path, links not followed. */
function modes(): Record<string, string> {
  const paths = readdirSync(dataDir, { recursive: true }).map(String)
  const found: Record<string, string> = {}
  for (const path of ['', ...paths]) {
    // an upload is gone as soon as it is stored
    const stat = lstatSync(join(dataDir, path), { throwIfNoEntry: false })
    if (stat !== undefined && !stat.isSymbolicLink()) found[path] = (stat.mode & 0o7777).toString(8)
  }
  return found
}

/** What others may look at. */
function open(): string[] {
  return Object.entries(modes())
    .filter(([path, mode]) => mode !== (lstatSync(join(dataDir, path)).isDirectory() ? '700' : '600'))
    .map(([path, mode]) => `${path} ${mode}`)
}

async function filled(server: RealServer): Promise<void> {
  await server.login()
  const seconds = 60 + readdirSync(folder).length
  expect((await server.call('/')).status).toBe(200)
  const answer = await server.call('/workouts/import', oneFile('a.fit', fitRun({ seconds })))
  const { id } = (await answer.json()) as { id: string }
  expect((await server.call(`/workouts/${id}/media`, oneFile('a.jpg', jpeg(1000)))).status).toBe(200)
}

/** The larger part is done while the service already answers. @param stay how many remain open */
async function closed(stay = 0): Promise<string[]> {
  for (let tries = 0; tries < 600 && open().length > stay; tries += 1) await Bun.sleep(100)
  return open()
}

test('everything in the data folder is its owner’s alone, what is new and what was there before', async () => {
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o777)
  await using first = await startServer({ dataDir, through, command: SOURCES })
  await filled(first)
  expect(await closed()).toEqual([])
  const names = Object.keys(modes())
  const ours = ['harrier.sqlite', 'harrier.sqlite-wal', 'harrier.sqlite-shm', 'jwt-secret']
  expect(names).toEqual(expect.arrayContaining([...ours, 'lock', 'tmp']))
  for (const start of ['files/media/', 'files/raw/', 'web/']) expect(names.join(' ')).toContain(` ${start}`)
  // leaves log and shared memory behind
  await first.end('SIGKILL')

  const outside = join(folder, 'outside')
  writeFileSync(outside, 'another program reads it')
  chmodSync(outside, 0o644)
  symlinkSync(outside, join(dataDir, 'files', 'link'))
  for (const name of names) {
    const path = join(dataDir, name)
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
  }
  await using second = await startServer({ dataDir, through, command: SOURCES })
  // before anybody can ask for anything
  expect(['', ...ours].map((name) => modes()[name])).toEqual(['700', '600', '600', '600', '600'])
  await filled(second)
  expect(await closed()).toEqual([])
  expect((lstatSync(outside).mode & 0o777).toString(8)).toBe('644')
  expect(second.log()).not.toContain(' warn Others')
  expect(await second.end('SIGTERM')).toBe(0)

  // what is not ours in that folder stays as it is
  const script = join(dataDir, 'nightly.sh')
  writeFileSync(script, '#!/bin/sh\n')
  chmodSync(script, 0o755)
  await using third = await startServer({ dataDir, through, command: SOURCES })
  await filled(third)
  expect(await closed(1)).toEqual(['nightly.sh 755'])
  await Bun.sleep(500)
  expect(open()).toEqual(['nightly.sh 755'])
}, 120_000)
