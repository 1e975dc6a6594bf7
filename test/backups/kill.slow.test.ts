import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkBackup } from '../../src/backups/check.ts'
import { lastBackup } from '../../src/backups/last.ts'
import { stampsIn } from '../../src/backups/manifest.ts'
import { readConfig } from '../../src/config.ts'
import { consoleLog } from '../../src/log.ts'
import { onDisk, wayToMount } from '../archive/disk-full-server.ts'
import { PROGRAM, SOURCES } from '../process/real-server.ts'
import { filesBelow, filledLibrary, folders, on } from './library.ts'

const { root, folderNamed } = folders()

async function problemsOf(folder: string): Promise<string[]> {
  const [config, log, read] = [readConfig({ DATA_DIR: root }), consoleLog('error'), new Map<string, boolean>()]
  const reports = stampsIn(folder).map(async (stamp) => {
    return (await checkBackup({ folder, stamp, scratch: folderNamed('own'), config, log, derives: false, read }))
      .problems
  })
  return (await Promise.all(reports)).flat()
}

test('killed at 30 moments, every backup with a manifest verifies, and the next one leaves nothing behind', async () => {
  const [data, target] = [folderNamed('data'), folderNamed('backups')]
  await using app = await filledLibrary(data, 12)
  const began = performance.now()
  await on(data, ['backup', target])
  const wholeMs = performance.now() - began
  let killed = 0
  for (let moment = 0; moment < 30; moment += 1) {
    // every other time nothing is stored yet
    if (moment % 2 === 0) rmSync(target, { recursive: true })
    mkdirSync(target, { recursive: true })
    const child = Bun.spawn([...PROGRAM, 'backup', target], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: data, BACKUP_KEEP: '1,0,0' },
      ...{ stdout: 'ignore', stderr: 'ignore' },
    })
    await Bun.sleep((wholeMs * (moment + 1)) / 31)
    child.kill('SIGKILL')
    if ((await child.exited) !== 0) killed += 1
    expect(await problemsOf(target)).toEqual([])
  }
  expect(killed).toBeGreaterThan(10)
  expect(await on(data, ['backup', target], { BACKUP_KEEP: '1,0,0' })).toMatchObject({ exitCode: 0 })
  expect(stampsIn(target)).toHaveLength(1)
  const [stamp] = stampsIn(target)
  expect(readdirSync(target).toSorted()).toEqual([`${stamp}.json`, `${stamp}.sqlite.zst`, 'files'])
  expect(filesBelow(target).filter((name) => name.includes('unfinished'))).toEqual([])
  expect(readdirSync(join(data, 'backup')).toSorted()).toEqual(['last.json', 'lock'])
  expect(app.logged).toEqual([])
}, 300_000)

const way = wayToMount()

test.skipIf(way === null)(
  'a full disk: the older backup stays, the new one is not half there',
  async () => {
    const [data, disk] = [folderNamed('small'), folderNamed('disk')]
    await using app = await filledLibrary(data, 4)
    // a backup, and one for which there is no room; then a list of what is there, and the check of it
    const script = `"$0" "$1" backup ${disk} || exit 9
    head -c 20000 /dev/urandom > ${data}/files/media/more && dd if=/dev/zero of=${disk}/filler bs=1k 2>/dev/null
    truncate -s -10k ${disk}/filler; "$0" "$1" backup ${disk} 2>&1; ls ${disk} ${disk}/files; "$0" "$1" verify ${disk}`
    const child = Bun.spawn([...onDisk(way!, disk, '2m'), 'sh', '-c', script, ...SOURCES], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: data, TMPDIR: root },
      ...{ stdout: 'pipe', stderr: 'pipe' },
    })
    const out = await new Response(child.stdout).text()
    expect([await child.exited, out]).toEqual([0, expect.stringContaining('The disk of the backup folder is full')])
    expect([/all right/g, /\.json/g].map((word) => out.match(word)?.length)).toEqual([1, 1])
    expect(out).not.toContain('unfinished')
    const failed = { error: 'The disk of the backup folder is full' }
    expect([lastBackup(data), app.logged]).toMatchObject([{ count: 1, failed }, []])
  },
  120_000,
)
