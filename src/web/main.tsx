import './theme.css'
import './ui/ui.css'
import './shell/shell.css'
import { render } from 'preact'
import { App } from './shell/app.tsx'
import { keepPage } from './shell/kept-page.ts'
import { showPrintable } from './shell/shown-text.ts'
import { startSession } from './state.ts'

const place = document.getElementById('app')
if (place !== null) {
  showPrintable()
  render(<App />, place)
  void startSession()
  keepPage()
}
