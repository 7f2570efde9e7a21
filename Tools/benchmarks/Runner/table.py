"""The results of a run, as text and as Markdown."""


class Table:
    """All figures of the run: group, work, ours, peer, ratio, goal, verdict."""

    def __init__(self):
        self.rows = []

    def add(self, group, work, ours, peer="", ratio="", goal="", verdict=""):
        self.rows.append([group, work, ours, peer, ratio, goal, verdict])

    def text(self):
        heads = ["group", "work", "ours", "peer", "ratio", "goal", "verdict"]
        rows = [heads] + self.rows
        widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def markdown(self, group):
        """One group as a table; details of the line above are indented."""
        lines = ["| work | ours | peer | ratio | goal | |", "| --- | ---: | ---: | ---: | --- | --- |"]
        for _, work, *cells, judged in (row for row in self.rows if row[0] == group):
            shown = "&emsp;" + work.strip() if work.startswith(" ") else work
            judged = {"met": "met", "MISSED": "**missed**"}.get(judged, judged)
            lines.append("| " + " | ".join(cell.strip().replace("|", "\\|") for cell in [shown, *cells, judged]) + " |")
        return "\n".join(lines)

    @property
    def missed(self):
        return [row for row in self.rows if row[-1] == "MISSED"]
