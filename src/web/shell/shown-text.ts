import { options } from 'preact'
import { printable } from '../../base/texts.ts'

/** Attributes that are shown or read out; `value` is edited, and stays. */
const SHOWN = ['title', 'alt', 'placeholder', 'aria-label'] as const

/** Lets every text of the page be shown as `printable`, so that no view can forget it. */
export function showPrintable(): void {
  const next = options.vnode
  options.vnode = (vnode) => {
    // the type of preact has no nodes of text, which have no type, and their text instead of properties
    const node: { readonly type: unknown; props: unknown } = vnode
    if (typeof node.props === 'string') node.props = printable(node.props)
    else if (typeof node.type === 'string') {
      const props = vnode.props as Record<string, unknown>
      for (const name of SHOWN) if (typeof props[name] === 'string') props[name] = printable(props[name])
    }
    next?.(vnode)
  }
}
