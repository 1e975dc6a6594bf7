import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where a Chromium is: CHROMIUM_PATH, else the place of Debian's package; null when there is none. */
export function chromiumPath(): string | null {
  const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  return existsSync(path) ? path : null
}

/** A headless browser that asks nobody but the page for anything. */
export function launch(executablePath: string): Promise<Browser> {
  const quiet = ['background-networking', 'component-update', 'sync', 'quic', 'gpu'].map((name) => `--disable-${name}`)
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...quiet] })
}
