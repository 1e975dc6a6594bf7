// What axe-core finds in a page.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

const AXE = Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)
/** The rules of axe-core whose findings depend on colours. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * All rules of axe-core, of every impact. The policy of the page refuses inline scripts, so it is evaluated instead. What
 * passes is not described, which takes a third of the time. What lies behind a dialog can be neither used nor read.
 * @param rules those that can find something else than a look at the same page before
 */
export async function noViolations(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(await Bun.file(AXE).text())
    await page.evaluate(lighten)
  }
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: [...rules] }) }
  const found = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run(document.querySelector('dialog:modal') ?? document, options)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`)
  }, options)
  expect(found).toEqual([])
}

interface Axe {
  readonly commons: { readonly color: { readonly Color: { prototype: { parseString(text: string): Colour } } } }
  configure(options: { readonly noHtml: boolean }): void
  run(context: Document | Element, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** axe-core reads the few colours of a page thousands of times, which is half of all that it does, and copies HTML. */
function lighten(): void {
  const { axe } = window as unknown as { axe: Axe }
  axe.configure({ noHtml: true })
  const { prototype } = axe.commons.color.Color
  const known = new Map<string, Colour>()
  const read = prototype.parseString
  prototype.parseString = function (text) {
    const { r, g, b, alpha } = known.get(text) ?? read.call(this, text)
    known.set(text, { r, g, b, alpha })
    return Object.assign(this, { r, g, b, alpha })
  }
}

interface Colour {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly alpha: number
}
