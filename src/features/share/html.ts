/** A piece of HTML that may be put into another one as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Content = Html | string | number | null | readonly Content[]

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML whose values are escaped, but for those that are HTML; null is nothing. */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(pieces.reduce((text, piece, k) => `${text}${written(values[k - 1] ?? null)}${piece}`))
}

function written(value: Content): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(written).join('')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPED[character] ?? '')
}
