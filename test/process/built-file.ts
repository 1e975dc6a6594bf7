import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedModule, originOf } from '../../build/embedded.ts'
import { buildFile } from '../../build/file.ts'
import { TARGETS } from '../../build/targets.ts'

/** Of this machine; undefined where none is built for it. */
export const ownTarget = TARGETS.find(({ runtime }) => runtime === `bun-${process.platform}-${process.arch}`)?.file

const ROOT = new URL('../../', import.meta.url).pathname

/** Builds as `bun run build` does, but into a folder of its own. @returns the path of the file */
export async function builtFile(name: string, folder: string): Promise<string> {
  const target = TARGETS.find(({ file }) => file === name)
  if (target === undefined) throw new Error(`${name} is not built`)
  mkdirSync(folder, { recursive: true })
  const out = join(folder, name)
  await buildFile(target, await embeddedModule(join(folder, 'page'), originOf(ROOT)), out)
  return out
}

/** What runs a file for 64-bit ARM here, as on a Raspberry Pi 4; null where there is no emulator. */
export function arm64Emulator(): readonly string[] | null {
  const qemu = Bun.which('qemu-aarch64-static')
  const libraries = '/usr/aarch64-linux-gnu'
  if (qemu === null || !Bun.file(join(libraries, 'lib/ld-linux-aarch64.so.1')).size) {
    console.warn('No qemu-aarch64-static with libc6-arm64-cross: the tests of the file for ARM are skipped')
    return null
  }
  return [qemu, '-cpu', 'cortex-a72', '-L', libraries]
}
