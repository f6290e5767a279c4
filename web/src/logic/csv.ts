// Tables as text for other programs.

/** A cell: quoted where needed; a text that a spreadsheet would run as a formula gets a quote first. */
export function cell(value: string | number): string {
    if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Rows of cells, comma-separated, one header line. */
export function csv(header: string[], rows: Iterable<(string | number)[]>): string {
    const lines = [header.map(cell).join(',')];
    for (const row of rows) lines.push(row.map(cell).join(','));
    return `${lines.join('\n')}\n`;
}
