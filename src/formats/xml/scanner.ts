import { FormatError } from '../format.ts'
import { decodeUtf8, utf8Document } from './encoding.ts'
import { Words, XmlAttributes, XmlText } from './text.ts'

/** Receives elements by the words given to `scanXml`, without prefix; other names, and the root's parent, are ''. */
export interface XmlHandler {
  open(name: string, parent: string, attributes: XmlAttributes): void
  /** `text` is what is between the last tag inside the element, or its start, and its end. */
  close(name: string, parent: string, text: XmlText): void
}

const MAX_DEPTH = 200
const LT = 60
const GT = 62
const SLASH = 47
const EQUALS = 61
const COLON = 58
const SPACE = 32
const TAB = 9
const CR = 13

/**
 * Reads an XML document once, forwards, from its bytes, without a tree and in constant memory. Namespaces are not
 * resolved, so an undeclared prefix is no error; DTDs are refused, so the only entities are the five of XML and numeric
 * ones.
 * What follows its root element is left out.
 * @throws FormatError when the document is cut, its tags do not match, it nests deeper than 200 or has a DTD
 */
export function scanXml(source: Uint8Array, words: readonly string[], handler: XmlHandler): void {
  new Scanner(utf8Document(source), new Words(words), handler).scan()
}

/** Name of the first element, without prefix, in the first bytes of a document; null when they are not XML. */
export function rootName(head: Uint8Array): string | null {
  const document = utf8Document(head)
  if (isNoMarkup(document[0])) return null
  const text = decodeUtf8(document)
  const prolog =
    /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[\s\S]*?\]\s*)?>)*/i.exec(text)?.[0].length ?? 0
  const name = /^<([^\s<>/"'=!?&]+)[\s/>]/.exec(text.slice(prolog, prolog + 200))?.[1]
  return name === undefined ? null : name.slice(name.lastIndexOf(':') + 1)
}

/** Whether no XML document begins with this byte; the head of a FIT file, a table or JSON is then not decoded as text. */
function isNoMarkup(byte: number | undefined): boolean {
  const isBlank = byte === SPACE || (byte !== undefined && byte >= TAB && byte <= CR)
  return byte === undefined || (byte < 128 && byte !== LT && !isBlank)
}

class Scanner {
  private readonly text: XmlText
  private readonly attributes: XmlAttributes
  /** For each open element: start and end of its name in the document, and its word. */
  private readonly stack = new Int32Array(2 * MAX_DEPTH)
  private readonly path: string[] = []
  private depth = 0
  private rooted = false
  /** The word of the name that was read last. */
  private word = ''

  constructor(
    private readonly bytes: Uint8Array,
    private readonly words: Words,
    private readonly handler: XmlHandler,
  ) {
    this.text = new XmlText(bytes)
    this.attributes = new XmlAttributes(bytes)
  }

  scan(): void {
    const { bytes } = this
    const end = bytes.length
    let at = 0
    while (at < end) {
      const from = at
      while (at < end && bytes[at] !== LT) at++
      if (at > from) {
        if (this.depth > 0) this.text.append(from, at)
        else this.expectBlank(from, at)
      }
      if (at < end) at = this.markup(at + 1)
      // whatever some program appended to the root element is not part of the document
      if (this.rooted && this.depth === 0) return
    }
    throw cut()
  }

  /** Handles what follows a `<`; returns the position after its `>`. */
  private markup(at: number): number {
    const first = this.bytes[at]
    if (first === SLASH) return this.endTag(at + 1)
    if (first === 33) return this.declaration(at + 1)
    if (first === 63) return this.after('?>', at + 1)
    return this.startTag(at)
  }

  private startTag(start: number): number {
    const { bytes } = this
    const nameEnd = this.name(start)
    const name = this.word
    let at = nameEnd
    if (at === start || bytes[at] === EQUALS) throw damaged()
    this.attributes.clear()
    if (bytes[at] !== GT) at = this.attributeList(at)
    const selfClosing = bytes[at] === SLASH
    if (selfClosing && bytes[++at] !== GT) throw at >= bytes.length ? cut() : damaged()

    this.rooted = true
    if (this.depth === MAX_DEPTH) throw new FormatError('The file is damaged: its XML nests too deeply')
    const parent = this.parent()
    this.text.clear()
    this.handler.open(name, parent, this.attributes)
    if (selfClosing) {
      this.handler.close(name, parent, this.text)
    } else {
      this.stack[2 * this.depth] = start
      this.stack[2 * this.depth + 1] = nameEnd
      this.path[this.depth] = name
      this.depth++
    }
    return at + 1
  }

  /** Reads a name and sets `word`; returns the position after it. */
  private name(start: number): number {
    const { bytes } = this
    const end = bytes.length
    let at = start
    let local = start
    let hash = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte <= 32 || byte === EQUALS || byte === GT || byte === SLASH) break
      if (byte === COLON) {
        local = at + 1
        hash = 0
      } else {
        if (byte === LT || byte === 34 || byte === 39) throw damaged()
        hash = (hash * 31 + byte) | 0
      }
    }
    if (at >= end) throw cut()
    this.word = this.words.find(bytes, local, at, hash)
    return at
  }

  /** Reads from the end of the name to the `>` or `/` that ends the tag. */
  private attributeList(start: number): number {
    const { bytes } = this
    const end = bytes.length
    let at = start
    for (;;) {
      at = this.behindBlanks(at)
      if (bytes[at] === GT || bytes[at] === SLASH) return at
      at = this.behindBlanks(this.name(at))
      if (bytes[at] !== EQUALS) throw damaged()
      at = this.behindBlanks(at + 1)
      const quote = bytes[at]
      if (quote !== 34 && quote !== 39) throw damaged()
      const valueStart = ++at
      while (at < end && bytes[at] !== quote) {
        if (bytes[at] === LT) throw damaged()
        at++
      }
      if (at >= end) throw cut()
      if (this.word !== '') this.attributes.add(this.word, valueStart, at)
      at++
    }
  }

  private endTag(start: number): number {
    const { bytes, stack } = this
    if (this.depth === 0) throw damaged()
    this.depth--
    let open = stack[2 * this.depth]!
    const openEnd = stack[2 * this.depth + 1]!
    let at = start
    while (open < openEnd && bytes[at] === bytes[open]) {
      at++
      open++
    }
    if (open < openEnd) throw at >= bytes.length ? cut() : damaged()
    at = this.behindBlanks(at)
    if (bytes[at] !== GT) throw damaged()
    this.handler.close(this.path[this.depth]!, this.parent(), this.text)
    this.text.clear()
    return at + 1
  }

  private parent(): string {
    return this.depth === 0 ? '' : this.path[this.depth - 1]!
  }

  /** The position after blanks. @throws FormatError at the end of the document */
  private behindBlanks(from: number): number {
    let at = from
    while (at < this.bytes.length && this.bytes[at]! <= 32) at++
    if (at >= this.bytes.length) throw cut()
    return at
  }

  /** Skips a comment or reads a CDATA section; anything else after `<!` belongs to a DTD and is refused. */
  private declaration(at: number): number {
    if (startsWith(this.bytes, at, '--')) return this.after('-->', at + 2)
    if (startsWith(this.bytes, at, '[CDATA[')) {
      if (this.depth === 0) throw damaged()
      const behind = this.after(']]>', at + 7)
      this.text.appendLiteral(at + 7, behind - 3)
      return behind
    }
    if (startsWith(this.bytes, at, 'DOCTYPE') || startsWith(this.bytes, at, 'doctype')) {
      throw new FormatError('The file has a document type declaration (DTD), which is refused')
    }
    throw at + 7 >= this.bytes.length ? cut() : damaged()
  }

  private after(mark: string, from: number): number {
    const first = mark.charCodeAt(0)
    for (let at = this.bytes.indexOf(first, from); at >= 0; at = this.bytes.indexOf(first, at + 1)) {
      if (startsWith(this.bytes, at, mark)) return at + mark.length
    }
    throw cut()
  }

  private expectBlank(from: number, to: number): void {
    for (let at = from; at < to; at++) if (this.bytes[at]! > 32) throw damaged()
  }
}

function startsWith(bytes: Uint8Array, at: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (bytes[at + i] !== ascii.charCodeAt(i)) return false
  return true
}

function cut(): FormatError {
  return new FormatError('The file is cut off: its XML ends too early')
}

function damaged(): FormatError {
  return new FormatError('The file is damaged: it is not well-formed XML')
}
