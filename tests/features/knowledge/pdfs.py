"""PDF files, as small as they can be, made of lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def pdf(pages: Sequence[str], title: str = "", locked: bool = False) -> bytes:
    """A PDF with a page for each text (Latin letters); the locked one asks for a password that nobody knows."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, text in enumerate(pages):
        shown = "".join(f"({line}) Tj T* " for line in text.split("\n"))
        stream = f"BT /F1 11 Tf 14 TL 50 780 Td {shown}ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * at} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< /Title ({title}) >>")
    trailer = f"/Size {len(objects) + 2} /Root 1 0 R /Info {len(objects)} 0 R"
    if locked:
        secret = "00" * 32
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -4 >>")
        trailer += f" /Encrypt {len(objects)} 0 R /ID [<{secret}> <{secret}>]"
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{at:010d} 00000 n \n" for at in places)
    return data + f"{table}trailer\n<< {trailer} >>\nstartxref\n{len(data)}\n%%EOF\n".encode()
