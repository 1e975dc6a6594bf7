import { useEffect, useState } from 'preact/hooks'

/** Blank modules around the code, which cameras need to find it (ISO/IEC 18004). */
const QUIET = 4

/** A QR code drawn in the page; the code that draws it is loaded when first needed. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[] | null>(null)
  useEffect(() => {
    let isGone = false
    const draw = async () => {
      const { encode } = await import('uqr')
      const { data } = encode(text, { ecc: 'M', border: QUIET })
      if (!isGone) setModules(data)
    }
    // the address is also shown as text
    draw().catch(() => {})
    return () => {
      isGone = true
    }
  }, [text])
  const size = modules?.length ?? 1
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      {modules !== null && <path d={pathOf(modules)} />}
    </svg>
  )
}

/** The dark modules, each horizontal run as one rectangle. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  const parts: string[] = []
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue
      const start = x
      while (row[x + 1] === true) x += 1
      parts.push(`M${start} ${y}h${x + 1 - start}v1H${start}z`)
    }
  }
  return parts.join('')
}
