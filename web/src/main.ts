// Read the data in the page and show it.
import './style/base.css';
import './style/controls.css';
import './style/stage.css';
import './style/panels.css';
import './style/tables.css';
import './style/text.css';
import './style/small.css';
import { el, replace } from './dom';
import { parseReport, ReportError } from './logic/data';
import { startPage } from './ui';

const root = document.getElementById('app')!;
const data = document.getElementById('specht-data');

try {
    const runs = parseReport(data?.textContent ?? '');
    data?.remove(); // its text is not needed twice
    startPage(root, runs);
    document.documentElement.dataset.ready = 'yes';
    // seen from the start of the navigation, after the first picture
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('specht-ready')));
} catch (error) {
    const known = error instanceof ReportError;
    const said = known ? error.message : `This page has a fault: ${(error as Error).message}`;
    replace(
        root,
        el(
            'div',
            { class: 'failure', attrs: { role: 'alert' } },
            el('span', { class: 'brand', text: 'Specht' }),
            el('h1', { text: 'Nothing to show' }),
            el('p', { text: said }),
        ),
    );
    document.documentElement.dataset.ready = 'no';
    if (!known) throw error;
}
