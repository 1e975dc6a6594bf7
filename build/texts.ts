// bun run texts [folder of src]: every text that a person reads, with its place, from the syntax tree.

import { join } from 'node:path'
import {
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/async'

const ROOT = join(import.meta.dir, '..')

export interface Text {
  /** Such as `src/web/main.tsx:12`. */
  readonly place: string
  readonly text: string
}

/** Attributes whose values nobody reads. */
const TECHNICAL =
  /^(?:class|className|id|key|type|name|role|href|d|viewBox|autocomplete|inputMode|enterkeyhint|transform|style|kind|icon|tone|look|marker|\w*[aA]nchor|data-.*|aria-(?!label$|description$|valuetext$).*)$/
/** Where a literal is a name for the program: imports, keys, comparisons, types. */
const NAMES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.ImportType,
  SyntaxKind.LiteralType,
  SyntaxKind.ElementAccessExpression,
  SyntaxKind.CaseClause,
  SyntaxKind.TaggedTemplateExpression,
])
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA|ATTACH|DETACH|VACUUM|FROM|JOIN|LEFT|WHERE|ORDER|AND|CASE)\b/

/** The texts of the sources below `folder`, in the order of their places. */
export async function textsOf(folder: string): Promise<Text[]> {
  const api = new API({ cwd: ROOT })
  const config = join(import.meta.dir, 'texts.tsconfig.json')
  const snapshot = await api.updateSnapshot({ openProjects: [config] })
  const program = snapshot.getProjects()[0]!.program
  const prefix = join(ROOT, folder)
  const names = (await program.getSourceFileNames()).filter(
    (name) => name.startsWith(prefix) && !name.endsWith('.json') && !name.includes('swagger-ui'),
  )
  const found: Text[] = []
  for (const name of names.toSorted()) {
    const file = (await program.getSourceFile(name))!
    const visit = (node: Node): void => {
      const text = shownText(node)
      if (text !== null) {
        const line = file.text.slice(0, node.getStart(file)).split('\n').length
        found.push({ place: `${name.slice(ROOT.length + 1)}:${line}`, text })
      }
      node.forEachChild(visit)
    }
    visit(file)
  }
  await api.close()
  return found
}

function shownText(node: Node): string | null {
  if (isJsxElement(node) || isJsxFragment(node)) {
    if (!node.children.some((child) => isJsxText(child) && /\p{L}/u.test(child.text))) return null
    return readable(node.children.map(childText).join(''))
  }
  if (isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => `{}${span.literal.text}`)
    return readable(literalText(node, node.head.text + parts.join('')))
  }
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return readable(literalText(node, node.text))
  return null
}

/** A literal as it is shown; empty for what is a name for the program. */
function literalText(node: Node, text: string): string {
  const { parent } = node
  if (NAMES.has(parent.kind) || SQL.test(text)) return ''
  for (let above: Node = node; above !== undefined; above = above.parent) {
    if (isJsxAttribute(above)) return TECHNICAL.test(above.name.getText()) ? '' : text
    if (above.kind === SyntaxKind.Block || above.kind === SyntaxKind.JsxElement) break
  }
  // a word in lower case alone is a value, with a space or a capital it is a text
  return / /.test(text) || /^\p{Lu}[\p{Ll}’']+\W?$/u.test(text) || parent.kind === SyntaxKind.JsxExpression ? text : ''
}

function childText(child: Node): string {
  if (isJsxText(child)) return child.text.replace(/\s*\n\s*/g, '\n')
  if (isJsxExpression(child) && child.expression !== undefined && isStringLiteral(child.expression)) {
    return child.expression.text
  }
  return '{}'
}

function readable(text: string): string | null {
  const line = text.replace(/\s+/g, ' ').trim()
  return /\p{L}\p{Ll}|^\p{Lu}+$/u.test(line.replaceAll('{}', ' ')) ? line : null
}

if (import.meta.main) {
  for (const { place, text } of await textsOf(process.argv[2] ?? 'src')) console.info(`${place}: ${text}`)
}
