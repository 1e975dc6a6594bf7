// What axe-core finds in a page.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

/** The rules of axe-core whose findings depend on colours. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * All rules of axe-core, of every impact. The policy of the page refuses inline scripts, so it is evaluated instead. What
 * passes is not described, which takes a third of the time. What lies behind a dialog can be neither used nor read.
 * @param rules those that can find something else than a look at the same page before
 */
export async function noViolations(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await lighterAxe())
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
  run(context: Document | Element, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/**
 * axe-core finds the same in less time when it keeps the parts of a colour in the colour rather than in seven WeakMaps,
 * searches no lists for what it remembers, reads each of the few colours of a page once, and copies no HTML. What the page
 * is remembered by while it is judged stays in a WeakMap.
 */
async function lighterAxe(): Promise<string> {
  const file = Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir))
  const source = await file.text()
  const axe = source.replace(/\(0,\w+\.default\)(?=\(\w+\),axe\._memoizedFns\.push)/, '(remembering)')
  if (axe === source) throw new Error('axe-core remembers in another way')
  return `{
    const remembering = ${remembering}
    let WeakMap = ${KeptInside}
    let WeakSet = WeakMap
    ${axe}
    WeakMap = window.WeakMap
    axe.configure({ noHtml: true })
    ;(${rememberColours})()
  }`
}

/** @returns the function with a memory that ends with `clear` */
function remembering(original: (...args: unknown[]) => unknown) {
  const last = original.length - 1
  let known = new Map()
  function remembered(this: unknown, ...args: unknown[]) {
    let level = known
    for (let k = 0; k < last; k += 1) {
      if (!level.has(args[k])) level.set(args[k], new Map())
      level = level.get(args[k])
    }
    const key = args[last]
    if (!level.has(key)) level.set(key, original.apply(this, args))
    return level.get(key)
  }
  return Object.assign(remembered, {
    clear: () => {
      known = new Map()
    },
  })
}

type Keeper = Record<symbol, unknown>

/** A WeakMap or WeakSet for few keys, which hold their values themselves. */
class KeptInside {
  readonly at = Symbol()
  has(key: Keeper) {
    return this.at in key
  }
  get(key: Keeper) {
    return key[this.at]
  }
  set(key: Keeper, value: unknown) {
    key[this.at] = value
  }
  add(key: Keeper) {
    key[this.at] = true
  }
}

function rememberColours(): void {
  const { prototype } = (window as unknown as { axe: Axe }).axe.commons.color.Color
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
