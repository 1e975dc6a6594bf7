import { Dialog } from '../ui/dialog.tsx'
import './shortcuts.css'

/** Keys, separated by blanks where one of several will do, and what they do. */
const SHORTCUTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Everywhere: [
    ['?', 'Show this list'],
    ['Ctrl+Z ⌘Z', 'Undo the last change, while it is offered'],
    ['Esc', 'Close a menu or dialog'],
  ],
  Runs: [
    ['/', 'Search'],
    ['J K', 'Next or previous run'],
    ['Enter', 'Open the run'],
    ['X', 'Select the run'],
    ['Shift+X', 'Select up to the run'],
    ['N P', 'Next or previous page'],
  ],
  'A run': [
    ['J K', 'Next or previous run of the list'],
    ['← →', 'Move along the charts, the map or the photos'],
    ['Shift+← Shift+→', 'Move in larger steps'],
    ['Home End', 'Go to the start or the end'],
    ['+ − 0', 'Zoom the map in, out, or to the whole route'],
    ['Ctrl+Enter ⌘Enter', 'Save notes'],
  ],
  Bests: [
    ['← →', 'Move along the progression'],
    ['Enter', 'Open the run'],
  ],
  Calendar: [['← →', 'Previous or next month']],
}

/** Every shortcut of the page. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={onClose}>
      <div class="shortcuts stack gap-5">
        {Object.entries(SHORTCUTS).map(([place, shortcuts]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {shortcuts.map(([keys, effect]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
